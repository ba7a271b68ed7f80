/**
 * Imported first: libraries read `NODE_ENV` once, when they are loaded. Without it, graphql checks at every step
 * whether a second copy of itself is loaded, which the lockfile rules out.
 */
if (process.env.NODE_ENV !== 'development') process.env.NODE_ENV = 'production';
