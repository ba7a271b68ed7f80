import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues(['address', 'body', 'variables'], 1 / 3);
