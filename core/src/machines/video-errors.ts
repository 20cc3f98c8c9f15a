/** YouTube's code for a request without a referrer: a setting of the server or the browser. */
export const missingReferrerCode = 153
