// Its own types are not found by way of its `exports`.
declare module 'socket.io-client-3' {
  export function io(url: string, options: object): unknown
}
