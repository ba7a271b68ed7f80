import { describeBodies } from './describeBodies.ts';

describeBodies('all values');
