import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues(['address', 'body'], 0.5);
