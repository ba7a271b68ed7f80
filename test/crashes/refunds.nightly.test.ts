import { describeRefundCrashes } from './refunds.ts';

describeRefundCrashes('killed');
