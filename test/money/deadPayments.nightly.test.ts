import { describeDeadPayments } from './describeDeadPayments.ts';

describeDeadPayments('before and behind');
