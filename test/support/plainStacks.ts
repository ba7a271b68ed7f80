/**
 * Stack traces as V8 writes them. Jest looks every frame of every error up in source maps, of which there are none: in
 * tests of refusals that was a twentieth of the time.
 */
Reflect.deleteProperty(Error, 'prepareStackTrace');
