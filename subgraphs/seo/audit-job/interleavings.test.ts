import { describeInterleavings } from './fixture/describeInterleavings.ts';

describeInterleavings(8);
