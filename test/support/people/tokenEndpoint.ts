/** Password of accounts that sign in with a password. */
export const goodPassword = 'plum-tractor-9-violin';
