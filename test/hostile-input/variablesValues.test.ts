import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues(['variables'], 0.5);
