import { describeDisputeCrashes } from './disputes.ts';

describeDisputeCrashes('killed', false);
