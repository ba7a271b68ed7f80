import { describePayoutCrashes } from './payouts.ts';

describePayoutCrashes('killed');
