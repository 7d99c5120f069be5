{{/* The server's container without its name. */}}
{{- define "lastcard.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args:
  {{- include "lastcard.args" . | nindent 2 }}
ports:
  - name: grpc
    containerPort: 50051
  - name: health
    containerPort: {{ .Values.health.port }}
  {{- if .Values.metrics.enabled }}
  - name: metrics
    containerPort: {{ .Values.metrics.port }}
  {{- end }}
startupProbe:
  grpc:
    port: {{ .Values.health.port }}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  grpc:
    port: {{ .Values.health.port }}
  periodSeconds: 5
livenessProbe:
  grpc:
    port: {{ .Values.health.port }}
    service: liveness
  periodSeconds: 10
  failureThreshold: 6
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: state
    mountPath: /var/lib/lastcard
  - name: organiser-key
    mountPath: /etc/lastcard/organiser
    readOnly: true
  {{- if .Values.serverKeys.existingSecret }}
  - name: server-keys
    mountPath: /etc/lastcard/server
    readOnly: true
  {{- end }}
  {{- if .Values.tls.existingSecret }}
  - name: tls
    mountPath: /etc/lastcard/tls
    readOnly: true
  {{- end }}
{{- end }}

{{/* The arguments of `lastcard`. */}}
{{- define "lastcard.args" -}}
- serve
- --host=0.0.0.0
- --port=50051
- --health-port={{ .Values.health.port }}
{{- if .Values.metrics.enabled }}
- --metrics-port={{ .Values.metrics.port }}
{{- end }}
- --state-dir=/var/lib/lastcard
- --store=sqlite:/var/lib/lastcard/journal.sqlite
- --organiser-key=/etc/lastcard/organiser/{{ .Values.organiserKey.secretKey }}
{{- if .Values.serverKeys.existingSecret }}
- --server-keys=/etc/lastcard/server/{{ .Values.serverKeys.secretKey }}
{{- end }}
{{- if .Values.insecure }}
- --insecure
{{- else }}
- --tls-cert=/etc/lastcard/tls/tls.crt
- --tls-key=/etc/lastcard/tls/tls.key
{{- end }}
- --grace={{ .Values.graceSeconds }}
- --live-matches-per-key={{ .Values.quotas.liveMatchesPerKey }}
- --streams-per-key={{ .Values.quotas.streamsPerKey }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{/* The pod's volumes. */}}
{{- define "lastcard.volumes" -}}
- name: state
  persistentVolumeClaim:
    claimName: {{ .Values.persistence.existingClaim | default (include "lastcard.fullname" .) }}
- name: organiser-key
  secret:
    secretName: {{ .Values.organiserKey.existingSecret }}
    defaultMode: 0440
{{- if .Values.serverKeys.existingSecret }}
- name: server-keys
  secret:
    secretName: {{ .Values.serverKeys.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- if .Values.tls.existingSecret }}
- name: tls
  secret:
    secretName: {{ .Values.tls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{/* The pod's annotations; empty if there are none. */}}
{{- define "lastcard.podAnnotations" -}}
{{- $own := dict }}
{{- if .Values.metrics.enabled }}
{{- $own = dict "prometheus.io/scrape" "true" "prometheus.io/port" (toString .Values.metrics.port) }}
{{- end }}
{{- with merge (deepCopy .Values.podAnnotations) $own }}
{{- toYaml . }}
{{- end }}
{{- end }}
