/** Declarations for the code blocks of docs/csp.md. The proxy itself runs in the Next.js starter. */
declare module 'next/server' {
  export class NextRequest extends Request {}
  export class NextResponse extends Response {
    static next(init: { request: { headers: Headers } }): NextResponse;
  }
}
