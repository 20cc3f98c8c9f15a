import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** Replaces the children after an error; `retry` renders them anew. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Confines an error in rendering to a part of the page. A class, because React offers nothing else for it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return this.props.fallback(() => this.setState({ hasFailed: false }))
  }
}
