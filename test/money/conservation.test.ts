import { describeConservation } from './describeConservation.ts';

describeConservation(6);
