/**
 * The cookie that a browser keeps while somebody is signed in there. A hint only, which lets nobody in:
 * by it the gateway picks between the sign-in form and a skeleton.
 */
export const SIGNED_IN_COOKIE = 'signed-in';

/** Its only value. */
export const SIGNED_IN = '1';
