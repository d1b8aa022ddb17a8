import { useQuery } from '@tanstack/react-query';
import { filtersQuery } from '../../api.ts';

/** The topics that there are, for a field whose `list` is this id. */
export function TopicSuggestions({ id }: { id: string }) {
  const { data: known } = useQuery(filtersQuery);
  return (
    <datalist id={id}>
      {known?.topics.map((topic) => (
        <option key={topic} value={topic}>
          {topic}
        </option>
      ))}
    </datalist>
  );
}
