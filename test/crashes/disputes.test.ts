import { describeDisputeCrashes } from './disputes.ts';

describeDisputeCrashes('held');
