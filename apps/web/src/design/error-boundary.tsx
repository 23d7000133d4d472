import { Component, type ReactNode } from 'react';
import { Failure } from './states.js';

interface ErrorBoundaryProps {
  /** Address of the children; another address resets the error. */
  location: string;
  children: ReactNode;
}

/** Limits a rendering error to one screen. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ location }: ErrorBoundaryProps) {
    if (location !== this.props.location && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => location.reload()} />;
  }
}
