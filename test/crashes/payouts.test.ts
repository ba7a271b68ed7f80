import { describePayoutCrashes } from './payouts.ts';

describePayoutCrashes('held');
