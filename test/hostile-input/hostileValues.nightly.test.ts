import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues(['address', 'body', 'variables'], 9);
