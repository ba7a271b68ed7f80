import { describeHostileValues } from './describeHostileValues.ts';

describeHostileValues('variables', 1);
