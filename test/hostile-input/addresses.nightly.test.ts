import { describeAddresses } from './describeAddresses.ts';

describeAddresses('all values');
