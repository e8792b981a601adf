// The parts of Next.js that the examples use; the package is too large to install for them.

declare module 'next/server' {
  export class NextRequest extends Request {
    readonly nextUrl: URL & { basePath: string };
  }
  export class NextResponse<Body = unknown> extends Response {
    readonly cookies: unknown;
    static next(init?: { headers?: HeadersInit; request?: { headers?: Headers } }): NextResponse<unknown>;
  }
}
declare module 'next/headers' {
  export function headers(): Promise<Omit<Headers, 'set' | 'append' | 'delete'>>;
}
