import { describeBodies } from './describeBodies.ts';

describeBodies('some values');
