import { describeOperators } from './describeOperators.ts';

describeOperators('one value');
