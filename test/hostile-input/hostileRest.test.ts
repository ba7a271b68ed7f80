import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues('rest', 1);
