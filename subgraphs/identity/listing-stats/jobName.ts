/** Who stores views wakes the job that counts them, which knows them as well. */
export const countViewsName = 'identity.listing-views';
