import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues('address', 1);
