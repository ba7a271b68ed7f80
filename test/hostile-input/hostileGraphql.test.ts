import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues('graphql', 1);
