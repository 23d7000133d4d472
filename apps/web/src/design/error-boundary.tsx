import { Component, type ReactNode } from 'react';
import { Failure } from './failure.js';

/** Keeps a fault of one screen from taking the whole page down. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => location.reload()} />;
  }
}
