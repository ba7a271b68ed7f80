import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues(9);
