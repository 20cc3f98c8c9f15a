/** The version that a client sends (7.24). It stands alone so that a page can have it without the contract's schemas. */
export const clientVersion = '2.0.0'
