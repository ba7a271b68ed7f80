import { describeExpiredKeys } from './describeExpiredKeys.ts';
import { readMutations } from './mutations.ts';
import { isIdempotent } from './otherRequest.ts';

describeExpiredKeys(readMutations().filter(isIdempotent));
