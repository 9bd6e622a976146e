/** LlamaIndex's AG-UI server. */
import { llamaKind, testPageTools } from '../ag-ui';
import { recording } from '../wire';
import { connect } from './llama-index.rig';

testPageTools(recording(llamaKind, connect));
