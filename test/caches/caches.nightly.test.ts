import { describeCaches } from './describeCaches.ts';

describeCaches(
  ['stranger', 'buyer', 'seller', 'owner', 'editor', 'moderator', 'finance', 'administrator'],
  2000,
);
