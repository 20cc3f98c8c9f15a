/** Where the sign-in library is served. */
export const authPath = '/api/auth'

/** Under this header the library is told the client's address; one that a client sends is dropped. */
export const clientAddressHeader = 'x-earshot-client-address'
