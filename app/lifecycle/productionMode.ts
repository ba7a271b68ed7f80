/**
 * Imported before anything else: libraries look at `NODE_ENV` once, when they are loaded. Without it, graphql asks at
 * every step whether a second copy of itself is about, which a pinned lockfile rules out.
 */
if (process.env.NODE_ENV !== 'development') process.env.NODE_ENV = 'production';
