/**
 * Must be imported first, because libraries read `NODE_ENV` once when they are loaded. Without it, graphql checks at
 * every step for a second copy of itself, which the lockfile excludes.
 */
if (process.env.NODE_ENV !== 'development') process.env.NODE_ENV = 'production';
