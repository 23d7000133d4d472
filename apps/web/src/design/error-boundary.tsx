import { Component, type ReactNode } from 'react';
import { Failure } from './failure.js';

interface ErrorBoundaryProps {
  /** Where its children are; elsewhere a fault is forgotten. */
  location: string;
  children: ReactNode;
}

/** Keeps a fault of one screen from taking the whole page down. */
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
