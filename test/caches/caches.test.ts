import { describeCaches } from './describeCaches.ts';

describeCaches(['stranger', 'owner', 'editor'], 50);
