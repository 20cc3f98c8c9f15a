import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** Replaces the children after an error; `retry` renders them anew. */
  fallback: (retry: () => void, error: unknown) => ReactNode
  children: ReactNode
}

interface ErrorBoundaryState {
  failure: { error: unknown } | null
}

/** Confines an error in rendering to a part of the page. A class, because React offers nothing else for it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null }

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } }
  }

  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override render() {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return this.props.fallback(() => this.setState({ failure: null }), failure.error)
  }
}
