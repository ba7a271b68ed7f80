import { describeAddresses } from './describeAddresses.ts';

describeAddresses('some values');
