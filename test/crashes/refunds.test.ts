import { describeRefundCrashes } from './refunds.ts';

describeRefundCrashes('held');
