import { Questions } from './questions.jsx';

// Rendered for each request, and not once when it is built.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <Questions />;
}
