// The types of the package export this class, but its main file does not.
declare module 'rate-limiter-flexible/lib/RateLimiterAbstract.js' {
  export { RateLimiterAbstract as default } from 'rate-limiter-flexible';
}
