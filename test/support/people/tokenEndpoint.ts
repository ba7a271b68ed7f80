/** Password of the accounts that sign in with one. */
export const goodPassword = 'plum-tractor-9-violin';
