import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues('body', 1);
