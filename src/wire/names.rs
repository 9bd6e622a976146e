//! Every property name and fixed string of the protocols, by number.
//!
//! Passing a number to JavaScript costs about a quarter of passing a string, and the host needs each string only once.

macro_rules! names {
    ($($name:ident $text:literal)*) => {
        /// A property name, or a fixed string such as a chunk's type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)] // each variant's text is its documentation
        pub enum Name { $($name),* }

        impl Name {
            /// Every name. A name's index here is its number.
            pub const ALL: &'static [Name] = &[$(Name::$name),*];

            /// Every name as `[variant, text]`, in order, in a JSON array: see `src/wasm/interface.rs`.
            pub const INTERFACE: &'static str =
                concat!("[\"names\"", $(",[\"", stringify!($name), "\",", stringify!($text), "]",)* "]");

            /// The name with this number.
            #[must_use]
            pub fn of(number: i32) -> Option<Self> {
                match number {
                    $(place if place == Name::$name as i32 => Some(Name::$name),)*
                    _ => None,
                }
            }

            /// The name's text, as in JSON.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Name::$name => $text),* }
            }
        }
    };
}

names! {
    Type "type" Id "id" Message "message" Role "role" Parts "parts" Metadata "metadata" State "state" Text "text" Delta "delta"
    Start "start" Finish "finish" StartStep "start-step" FinishStep "finish-step" ResetStep "reset-step"
    StepStart "step-start" Abort "abort" Error "error" MessageMetadata "message-metadata"
    MetadataOfMessage "messageMetadata" Empty ""
    TextStart "text-start" TextDelta "text-delta" TextEnd "text-end"
    ReasoningStart "reasoning-start" ReasoningDelta "reasoning-delta" ReasoningEnd "reasoning-end"
    Reasoning "reasoning" File "file" ReasoningFile "reasoning-file" SourceUrl "source-url"
    SourceDocument "source-document" Custom "custom" SteeringMessage "steering-message"
    ToolInputStart "tool-input-start" ToolInputDelta "tool-input-delta"
    ToolInputAvailable "tool-input-available" ToolInputUpdate "tool-input-update" ToolInputError "tool-input-error"
    ToolApprovalRequest "tool-approval-request" ToolApprovalResponse "tool-approval-response"
    ToolApprovalWithdrawn "tool-approval-withdrawn"
    ToolOutputAvailable "tool-output-available" ToolOutputError "tool-output-error"
    ToolOutputDenied "tool-output-denied"
    MessageId "messageId" FinishReason "finishReason" Interrupted "interrupted" StepLimit "step-limit" Streaming "streaming" Done "done"
    Citations "citations" ProviderMetadata "providerMetadata" Data "data" Transient "transient"
    ToolCallId "toolCallId" ToolName "toolName" DynamicTool "dynamic-tool" Dynamic "dynamic" Title "title"
    ToolMetadata "toolMetadata" ProviderExecuted "providerExecuted" InputEncoding "inputEncoding"
    InputTextDelta "inputTextDelta" Input "input" RawInput "rawInput" Output "output" ErrorText "errorText"
    Preliminary "preliminary" CallProviderMetadata "callProviderMetadata"
    ResultProviderMetadata "resultProviderMetadata" Approval "approval" ApprovalId "approvalId"
    ApprovalDescriptor "approvalDescriptor" Descriptor "descriptor" RequestReason "requestReason" Reason "reason"
    IsAutomatic "isAutomatic" Signature "signature" InputSchemaInput "inputSchemaInput" Approved "approved"
    InputStreaming "input-streaming" InputAvailable "input-available" ApprovalRequested "approval-requested"
    ApprovalResponded "approval-responded" OutputAvailable "output-available" OutputError "output-error"
    OutputDenied "output-denied" Toolgate "toolgate" Outcome "outcome" Delivery "delivery" Kind "kind"
    MayHaveRun "mayHaveRun" System "system" User "user" Assistant "assistant" Tool "tool"
    Content "content" ProviderOptions "providerOptions" ToolCall "tool-call" ToolResult "tool-result"
    MediaType "mediaType" Filename "filename" ProviderReference "providerReference" Reference "reference" Url "url"
    Value "value" Json "json" ErrorJson "error-json" ExecutionDenied "execution-denied"
    Executed "executed" Failed "failed" Denied "denied" Cancelled "cancelled" Held "held" Ready "ready"
    InFlight "in-flight"
    Acknowledged "acknowledged" Unconfirmed "unconfirmed" Withdrawn "withdrawn" Policy "policy" Backend "backend"
    TextError "error-text" UnknownError "unknown error"
    OmittedOutput "Tool output omitted because the tool is no longer available."
    RunsInPage "runsInPage" InputChanged "input-changed" Code "code"
    Decision "decision" Result "result" Anomaly "anomaly" Stalled "stalled" Transition "transition"
    Detail "detail" Key "key" Why "why" Cause "cause"
    Skipped "skipped" Expired "expired" Remembered "remembered" DecidedBy "decidedBy" ExpiresAt "expiresAt"
    DecidedAt "decidedAt" For "for" Chat "chat" Always "always" InputDigest "inputDigest"
    EditedInput "editedInput" Remember "remember" RepeatUnsafe "repeatUnsafe" Call "call"
    Request "request" Response "response" IsLocal "isLocal"
    Trigger "trigger" SubmitMessage "submit-message" RegenerateMessage "regenerate-message"
}

macro_rules! omit_keys {
    ($($(#[$doc:meta])* $set:ident: $($name:ident)*;)*) => {
        /// A set of property names that a copy of an object omits.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum OmitKeys { $($(#[$doc])* $set),* }

        impl OmitKeys {
            /// Every set. A set's index here is its number.
            pub const ALL: &'static [&'static [Name]] = &[$(&[$(Name::$name),*]),*];

            /// Every set as `[variant, names…]`, in order, in a JSON array: see `src/wasm/interface.rs`.
            pub const INTERFACE: &'static str = concat!(
                "[\"sets\"",
                $(",[\"", stringify!($set), "\"", $(",\"", stringify!($name), "\"",)* "]",)*
                "]"
            );

            /// The names of the set.
            #[must_use]
            pub fn names(self) -> &'static [Name] {
                Self::ALL[self as usize]
            }
        }
    };
}

omit_keys! {
    /// Omits nothing: a plain copy.
    Nothing: ;
    /// Properties of a tool chunk that have fields of their own in a tool part.
    PlacedInToolChunk: Type ToolCallId ToolName Dynamic Input Output ErrorText Preliminary ProviderExecuted
        ProviderMetadata;
    /// Properties of a stored tool part that have fields of their own.
    PlacedInToolPart: Type ToolCallId ToolName State Input Output ErrorText Preliminary Approval Outcome Delivery
        DecidedBy;
    /// Properties of an approval-request chunk that have fields of their own, or another name, in the approval.
    PlacedInRequest: Type ApprovalId ToolCallId ApprovalDescriptor Reason IsAutomatic Signature RepeatUnsafe;
    /// Properties that have one type wherever they occur: see `without_invalid` in `ai_sdk/property_checks.rs`.
    Typed: Title Filename Signature RequestReason ToolMetadata ProviderMetadata CallProviderMetadata
        ResultProviderMetadata ProviderReference ProviderExecuted;
    /// Properties of a stored approval that have fields of their own.
    PlacedInApproval: Id Approved Reason IsAutomatic;
    /// Properties of a message that have fields of their own.
    PlacedInMessage: Id Role Parts;
    /// [`OmitKeys::PlacedInMessage`] and the short forms that a new message may have.
    PlacedInNewMessage: Id Role Parts Text MessageId;
    /// The type and the id of a text chunk, which its part does not have.
    TypeAndId: Type Id;
    /// The type of a chunk.
    Type: Type;
    /// The metadata of a message, before it is merged.
    Metadata: Metadata;
    /// The text of a streamed input, which is in a snapshot.
    RawInput: RawInput;
    /// The text and encoding of a streamed input, once the input is complete.
    StreamedInput: RawInput InputEncoding;
    /// Properties of a model's content part that have another name in a `UIMessage`.
    ModelContent: ProviderOptions Data;
    /// Toolgate's own entry in the metadata of a call.
    Toolgate: Toolgate;
    /// The provider metadata of a call.
    CallMetadata: CallProviderMetadata;
}
