/** Plain JSON behind a disclosure. */

export function Json({ label, value }: { label: string; value: unknown }) {
  return (
    <details className="json">
      <summary>{label}</summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
