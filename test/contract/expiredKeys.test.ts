import { describeExpiredKeys } from './describeExpiredKeys.ts';
import { readMutations } from './mutations.ts';

/** A mutation whose record gets its id from the key, and one that calls the payment provider. */
const names = ['createListing', 'createPayment'];

describeExpiredKeys(readMutations().filter(({ name }) => names.includes(name)));
